package ratios

// Divide turns medians into ratios.
var Divide = divide
