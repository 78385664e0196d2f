"""What the questions about networks stand on.

``source``      the network that is asked about
``estimate``    what a question would take
``memory``      ``--memory`` kept for one
"""
