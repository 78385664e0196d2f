"""Tables: from a table of personal data to a verified anonymous release."""
