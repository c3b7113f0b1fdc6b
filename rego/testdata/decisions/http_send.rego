# A decision does not ask the network.
# decision: data.p.allow
# arguments: {"key":"a"}
# want: new undefined function http.send

package p

default allow := false

allow if http.send({"method": "get", "url": "http://127.0.0.1"}).status_code == 200
