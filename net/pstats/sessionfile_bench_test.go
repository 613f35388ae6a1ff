package pstats
