-- Where the house's chips were in the books at the end of each gaming day that is closed, and so how many were in patrons'
-- hands (payouts/circulation.py): written as the day was closed. Of an open day nothing is told, since the cage is counted
-- blind.
SELECT day.date, written.issued, written.cage, written.floats, written.transit, written.rake,
    written.issued - written.cage - written.floats - written.transit - written.rake AS circulation,
    written.brought, written.withdrawn, written.sold, written.cashed,
    day.id AS day_id
FROM tables_gamingday day
LEFT JOIN tables_housefigures written ON written.day_id = day.id
WHERE day.date BETWEEN %(first)s AND %(last)s
