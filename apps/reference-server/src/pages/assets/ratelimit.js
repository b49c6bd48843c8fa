// ratelimit
