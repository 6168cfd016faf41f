# syntax=docker/dockerfile:1
# The service with everything it can read. Data lives in one volume; the image holds none, and runs as nobody special.
#   docker build -t footnotary .
#   docker run --rm -v footnotary:/var/lib/footnotary footnotary keys create --tenant acme --role admin
#   docker run --rm -v footnotary:/var/lib/footnotary -p 127.0.0.1:8081:8081 footnotary

# `make image-digest` adds the digest of the base image, where a registry can be reached: python:3.11-slim-bookworm@sha256:...
ARG PYTHON_IMAGE=python:3.11-slim-bookworm

FROM ${PYTHON_IMAGE} AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/footnotary
WORKDIR /src
COPY requirements/service.txt requirements/build.txt requirements/
RUN /opt/footnotary/bin/pip install --require-hashes -r requirements/service.txt
# The build backend is pinned by hash as well, in an environment that does not reach the image.
RUN python -m venv /opt/build && /opt/build/bin/pip install --require-hashes -r requirements/build.txt
COPY pyproject.toml README.md LICENSE ./
COPY src src
COPY packages packages
RUN /opt/build/bin/pip wheel --no-deps --no-build-isolation --wheel-dir /wheels . ./packages/footnotary-models-embedders ./packages/footnotary-models-small ./packages/footnotary-models-verifier-large \
 && /opt/footnotary/bin/pip install --no-deps --no-index /wheels/*.whl

FROM ${PYTHON_IMAGE}
LABEL org.opencontainers.image.title="Footnotary" \
      org.opencontainers.image.description="Answers from your documents only: every sentence cited and verified, or refused." \
      org.opencontainers.image.licenses="Apache-2.0"
# Tesseract reads scans; its versions come with the base image's own release of Debian.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends tesseract-ocr tesseract-ocr-hin \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin footnotary \
 && install -d -o footnotary -g footnotary -m 0700 /var/lib/footnotary
COPY --from=build /opt/footnotary /opt/footnotary
ENV PATH=/opt/footnotary/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    FOOTNOTARY_HOME=/var/lib/footnotary \
    FOOTNOTARY_HOST=0.0.0.0 \
    FOOTNOTARY_PORT=8081
USER 10001
WORKDIR /var/lib/footnotary
VOLUME ["/var/lib/footnotary"]
EXPOSE 8081
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ[\"FOOTNOTARY_PORT\"]}/healthz', timeout=2)"]
# It refuses to start as long as there is no key: it can be reached from outside the container.
ENTRYPOINT ["footnotary"]
CMD ["serve"]
