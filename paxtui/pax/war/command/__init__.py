"""Command in War: orders that several seats give together, what binds whoever commands an abandoned Power, and what the
engine orders where nobody commands.

Offers `abandonment` (by which a seat comes under the General Orders); `consents`; `general_orders` (Order 9, through
which every move and attack goes); `march` (ways, and the nearest supply), `forces` (who is free to go), `advance`
(Order 11) and `landing` (Order 10), which `war.policy` puts together with `empire_acts`, what an Empire does that
fights alone.
"""
