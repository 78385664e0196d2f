"""What every answer carries: nothing from elsewhere, in no frame, kept by no cache."""

from __future__ import annotations

__all__ = ["ALWAYS", "POLICY", "REPORT_POLICY"]

POLICY = (
    "default-src 'self'; frame-ancestors 'none'; form-action 'self'; base-uri 'none'; object-src 'none'; "
    "connect-src 'self'; img-src 'self'; script-src 'self'; style-src 'self'"
)
"""For every page of the app: scripts and styles are files of ours, none stands in a page."""

REPORT_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; form-action 'none'; "
    "base-uri 'none'; sandbox"
)
"""For a report, which is one file with its style inside: no script, no form, no origin."""

ALWAYS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # no-referrer would take the Origin from forms
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
"""Each stands in every answer, refusals too; an answer may say a stricter one of its own."""
