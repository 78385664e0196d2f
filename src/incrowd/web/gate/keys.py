"""The one-time token that stands in the address, and the cookie that it is exchanged for."""

from __future__ import annotations

import secrets
import threading

__all__ = ["Keys"]

BYTES = 32


class Keys:
    """The secrets of one run of the server; both are drawn anew for every run.

    The server listens on `port`. Browsers share cookies between the ports of a machine, so its name holds the port.

    Attributes
    ----------
    token : str
        Opens the door once.
    cookie_name : str
    """

    def __init__(self, port: int) -> None:
        self.token = secrets.token_urlsafe(BYTES)
        self.cookie_name = f"incrowd-{port}"
        self._session = secrets.token_urlsafe(BYTES)
        self._used = False
        self._lock = threading.Lock()

    def enter(self, token: str) -> str | None:
        """Return the cookie's line for a token that is right and was not used yet, else None.

        The token is as it came; it is used up if it was right.
        """
        right = secrets.compare_digest(token.encode(), self.token.encode())
        with self._lock:
            if not right or self._used:
                return None
            self._used = True
        return f"{self.cookie_name}={self._session}; Path=/; HttpOnly; SameSite=Strict"

    def knows(self, cookies: str) -> bool:
        """Return whether the cookies of a request, the header as it came, hold ours."""
        found = [part.strip().partition("=") for part in cookies.split(";")]
        ours = [value for name, _, value in found if name == self.cookie_name]
        return len(ours) == 1 and secrets.compare_digest(ours[0].encode(), self._session.encode())
