"""What to give those who wait where kstatus cannot see that an object is ready: made from the conditions of a kind."""
