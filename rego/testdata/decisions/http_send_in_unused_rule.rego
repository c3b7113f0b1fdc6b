# Not even in a rule that nobody needs.
# decision: data.p.allow
# arguments: {"key":"a"}
# want: new undefined function http.send

package p

default allow := true

unused := http.send({"method": "get", "url": "http://127.0.0.1"})
