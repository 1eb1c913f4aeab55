.mode box
.timer on
.echo on
-- 336,776 flights that left New York City in 2013, with airlines, airports, planes and weather. Columns and types of
-- four files are detected; those of the flights are given.
CREATE TABLE airlines AS SELECT * FROM read_csv('airlines.csv', nullstr => 'NA');
CREATE TABLE airports AS SELECT * FROM read_csv('airports.csv', nullstr => 'NA');
CREATE TABLE planes AS SELECT * FROM read_csv('planes.csv', nullstr => 'NA');
CREATE TABLE weather AS SELECT * FROM read_csv('weather.csv', nullstr => 'NA');

CREATE TABLE flights (
    year SMALLINT, month SMALLINT, day SMALLINT,
    dep_time SMALLINT, sched_dep_time SMALLINT, dep_delay SMALLINT,
    arr_time SMALLINT, sched_arr_time SMALLINT, arr_delay SMALLINT,
    carrier VARCHAR, flight INTEGER, tailnum VARCHAR, origin VARCHAR, dest VARCHAR,
    air_time SMALLINT, distance INTEGER, hour SMALLINT, minute SMALLINT, time_hour TIMESTAMP);
COPY flights FROM 'flights.csv' (HEADER, NULL 'NA');

-- 1. How much is there, and how punctual was it?
SELECT count(*) AS flights, count(*) FILTER (WHERE dep_time IS NULL) AS cancelled,
       count(DISTINCT tailnum) AS planes, count(DISTINCT dest) AS destinations,
       CAST(avg(dep_delay) AS DECIMAL(6, 1)) AS avg_departure_delay, max(dep_delay) AS longest_delay
FROM flights;

-- 2. Which airlines fly most, and which keep their time?
SELECT a.name AS airline, count(*) AS flights,
       CAST(avg(f.arr_delay) AS DECIMAL(6, 1)) AS avg_arrival_delay,
       CAST(100.0 * count(*) FILTER (WHERE f.arr_delay <= 15) / count(f.arr_delay) AS DECIMAL(5, 1)) AS percent_on_time
FROM flights f JOIN airlines a ON a.carrier = f.carrier
GROUP BY a.name
ORDER BY flights DESC;

-- 3. Where do they go? A few destinations are not in the list of airports.
SELECT f.dest, p.name AS airport, count(*) AS flights, max(f.distance) AS miles, count(DISTINCT f.carrier) AS airlines
FROM flights f LEFT JOIN airports p ON p.faa = f.dest
GROUP BY f.dest, p.name
ORDER BY flights DESC
LIMIT 10;

-- 4. Leave early: how the delay grows over the day, by airport.
SELECT hour,
       CAST(avg(dep_delay) FILTER (WHERE origin = 'EWR') AS DECIMAL(6, 1)) AS newark,
       CAST(avg(dep_delay) FILTER (WHERE origin = 'JFK') AS DECIMAL(6, 1)) AS kennedy,
       CAST(avg(dep_delay) FILTER (WHERE origin = 'LGA') AS DECIMAL(6, 1)) AS la_guardia
FROM flights
WHERE dep_delay IS NOT NULL
GROUP BY hour
ORDER BY hour;

-- 5. Who built the planes, and how old are they?
SELECT p.manufacturer, count(DISTINCT p.tailnum) AS planes, count(*) AS flights,
       CAST(avg(2013 - p.year) AS DECIMAL(5, 1)) AS avg_age, sum(f.distance) AS miles
FROM flights f JOIN planes p ON p.tailnum = f.tailnum
GROUP BY p.manufacturer
HAVING count(*) >= 1000
ORDER BY flights DESC;

-- 6. Does the weather matter? Visibility in miles in the hour of departure.
SELECT CASE WHEN w.visib < 1 THEN '1: below 1 mile' WHEN w.visib < 5 THEN '2: 1 to 5 miles'
            WHEN w.visib < 10 THEN '3: 5 to 10 miles' ELSE '4: 10 miles' END AS visibility,
       count(*) AS flights, CAST(avg(f.dep_delay) AS DECIMAL(6, 1)) AS avg_departure_delay,
       CAST(100.0 * count(*) FILTER (WHERE f.dep_time IS NULL) / count(*) AS DECIMAL(5, 1)) AS percent_cancelled
FROM flights f
JOIN weather w ON w.origin = f.origin AND w.year = f.year AND w.month = f.month AND w.day = f.day AND w.hour = f.hour
GROUP BY 1
ORDER BY 1;

-- 7. The worst days of the year.
SELECT f.month, f.day, count(*) AS flights, count(*) FILTER (WHERE f.dep_time IS NULL) AS cancelled,
       CAST(avg(f.dep_delay) AS DECIMAL(6, 1)) AS avg_departure_delay
FROM flights f
GROUP BY f.month, f.day
ORDER BY cancelled DESC, avg_departure_delay DESC
LIMIT 5;

-- 8. The fastest flights, and on what.
SELECT f.carrier, f.flight, f.origin, f.dest, p.model, CAST(f.distance * 60.0 / f.air_time AS DECIMAL(6, 1)) AS miles_per_hour
FROM flights f JOIN planes p ON p.tailnum = f.tailnum
WHERE f.air_time > 0
ORDER BY miles_per_hour DESC, f.flight
LIMIT 5;
