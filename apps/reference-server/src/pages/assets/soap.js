// soap
