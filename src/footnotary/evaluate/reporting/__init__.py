"""What every report is written with: SVG charts, HTML pages and resumable JSON lines."""
