"""What is shown and what forms do: a module a step, in the order of the way.

``page``       a template filled in; an error as a sentence on the page that it belongs to
``start``      choose a file; what is open; style, script and pictures of the app itself
``columns``    what the columns are: kinds, distinct values, gaps, and the role of each
``labels``     hierarchies, with what every level shows; the values of one column, grouped by hand
``stars``      the mask in words
``promise``    k, l and t, and the curve to choose k by
``search``     the audit; the run: cost, bound and gap as they move, and a stop that keeps the best
``release``    what came out: report, columns, stars, recount, files
``settings``   every setting by its heading, and the policy as text
``network``    an open network
"""
