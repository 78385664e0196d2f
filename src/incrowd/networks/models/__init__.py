"""What an attacker sees of a published network."""
