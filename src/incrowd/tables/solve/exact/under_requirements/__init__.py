"""The least release under requirements: components, their rows added as a point breaks them, branch and cut.

``known_rows``         which of them a component's programs have
``tree``               the linear program with rows and cuts, and a tree over which instances are open
``reduction``          what no release up to a limit has, by the linear program's duals
``restricted_program`` the integer program over what is left, or over given instances
``component``          one component: its bound, releases near it, and searches up to a limit that rises
``hub_prices``         what a row in the hub costs more, so that components may stay apart
``release_pool``       the releases found of one component, by what they put into the hub
``hub_choice``         one of them for each component, so that the hub fits
``hub_repair``         rows that the hub needs where components' releases break a requirement together
``solver``             from the list of instances to a release with its bound

Beyond the papers; the integer program is made from that of BredereckNichterleinNiedermeier2013 (Section 2.2), with the
rows of requirements as in Theorem 9 of "On the complexity of t-closeness anonymization and related problems".
"""
