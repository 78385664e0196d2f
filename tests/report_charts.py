"""What a drawing shows: its texts, and the lengths of its bars."""

import xml.etree.ElementTree as ElementTree

SVG = "{http://www.w3.org/2000/svg}"


def parsed(drawing):
    return ElementTree.fromstring(drawing.__html__())


def texts(drawing):
    """Return the texts of a drawing in their order."""
    return [one.text for one in parsed(drawing).iter(f"{SVG}text")]


def bars(drawing):
    """Return the bars of a drawing: label, width in pixels and the text at its end."""
    found = list(parsed(drawing))
    return [
        (found[i - 1].text, float(one.attrib["width"]), found[i + 1].text)
        for i, one in enumerate(found)
        if one.tag == f"{SVG}rect"
    ]
