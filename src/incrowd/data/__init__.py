"""The bundled table of an invented hospital, and the policy it is released under."""
