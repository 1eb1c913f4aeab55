module sales

go 1.20
