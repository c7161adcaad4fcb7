"""The way in and out: requests, sockets, the page, and who may ask for what."""
