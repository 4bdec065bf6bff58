mod judge;
