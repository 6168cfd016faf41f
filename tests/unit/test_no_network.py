"""The guard on unit tests itself."""

import socket

import pytest
from pytest_socket import SocketBlockedError


def test_a_unit_test_cannot_open_a_socket():
    # The guard warns before it raises, and warnings are errors here.
    with pytest.raises((SocketBlockedError, UserWarning)):
        socket.socket(socket.AF_INET, socket.SOCK_STREAM)
