"""What bqplot asks whether a value is one of them."""


class DataFrame: ...


class Series: ...


class Timestamp: ...
