"""The same flights from Python: a data frame that SQL reads by its name, and a plot of what it answers.

    demo.py PICTURE NAME    with flights.csv and airlines.csv in the current folder; the picture's name as it is told"""

import sys

import matplotlib
import pandas

import scaup

matplotlib.use("Agg")  # into a file, without a screen

flights = pandas.read_csv("flights.csv", usecols=["carrier", "hour", "dep_delay"])
airlines = pandas.read_csv("airlines.csv")

print(f"\nIn Python: a data frame of {len(flights):,} flights, read by SQL under the name of its variable.\n")
late = scaup.sql("""
    SELECT hour, avg(dep_delay) AS minutes, count(*) FILTER (WHERE dep_delay > 60) AS over_an_hour
    FROM flights WHERE dep_delay IS NOT NULL GROUP BY hour ORDER BY hour""")
late.show()
scaup.sql("""
    SELECT name, round(avg(dep_delay), 1) AS minutes, count(*) AS flights
    FROM flights JOIN airlines USING (carrier) GROUP BY name ORDER BY minutes DESC LIMIT 5""").show()

axes = late.df().plot.bar(x="hour", y="minutes", legend=False, title="Flights from New York: mean delay by the hour they were to leave, 2013")
axes.set_ylabel("minutes")
axes.figure.set_size_inches(9, 4)
axes.figure.savefig(sys.argv[1], dpi=120, bbox_inches="tight")
print(f"Plotted into {sys.argv[2]}")
