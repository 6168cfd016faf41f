"""Passages that answer one question each, among many that do not. Standard library only: peers import it."""

from __future__ import annotations

# A passage, a question that it answers, and the sentence that answers it.
FACTS = (
    ("The library of the harbour opens at nine. A reader may borrow seven books at a time. Lost books are paid for.",
     "How many books may a reader of the harbour library borrow?", "A reader may borrow seven books at a time."),
    ("The boiler inspector examines every steam boiler once in eighteen months. The operator keeps the room clean.",
     "How often does the boiler inspector examine every steam boiler?",
     "The boiler inspector examines every steam boiler once in eighteen months."),
    ("A beekeeper registers each apiary with the district office. The fee for registering an apiary is forty rupees.",
     "What is the fee for registering an apiary?", "The fee for registering an apiary is forty rupees."),
    ("The ferry to the island runs twice a day. A ticket for the island ferry costs twelve rupees.",
     "What does a ticket for the island ferry cost?", "A ticket for the island ferry costs twelve rupees."),
    ("The museum keeps its old maps in the north tower. The museum is closed on Mondays.",
     "Where does the museum keep its old maps?", "The museum keeps its old maps in the north tower."),
    ("Every lighthouse keeper records the weather at noon. The record of the weather is kept for three years.",
     "What does every lighthouse keeper record at noon?", "Every lighthouse keeper records the weather at noon."),
    ("The swimming pool is heated by the sun. A lifeguard of the swimming pool watches at most thirty swimmers.",
     "How many swimmers does a lifeguard of the swimming pool watch?",
     "A lifeguard of the swimming pool watches at most thirty swimmers."),
    ("The observatory admits visitors on clear nights. The great telescope of the observatory was built in 1911.",
     "When was the great telescope of the observatory built?",
     "The great telescope of the observatory was built in 1911."),
    ("The cheese market is held in the old barn. Sellers at the cheese market pay two rupees for a table.",
     "Where is the cheese market held?", "The cheese market is held in the old barn."),
    ("The orchestra rehearses in the town hall. The orchestra has sixty musicians.",
     "How many musicians has the orchestra?", "The orchestra has sixty musicians."),
)  # fmt: skip
K = 10
