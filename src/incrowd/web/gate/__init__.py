"""Who may ask what: the outermost layer, which refuses whatever it does not know.

``keys``      the one-time token of the address, and the cookie that it is exchanged for
``headers``   what every answer carries
``rules``     the reasons to refuse a request, in their order
``gate``      the layer itself: rules, size of what is sent, errors without a word of the table
"""
