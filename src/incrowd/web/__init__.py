"""The local web app: a table to a verified release in a browser, on this machine alone. It needs the extra ``web``.

``server``     listens on the loopback interface until it is told to end, and says its address
``notebook``   `incrowd.studio`: the app beside a notebook, opened by a link
``authentication``       who may ask what: host, cookie, origin, route, size; refused unless all of it is right
``files``      what may be read: below the root, or uploaded into a private folder; nothing that unpacks without end
``sessions``     what is open: tables and networks, their policies as text, and work that goes on behind a page
``pages``      what is shown and what forms do, a module a step

It builds the same `incrowd.policy.job.Job` as the shell, from the same settings, and names no model and no solver.
"""
