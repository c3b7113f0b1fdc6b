package engine_test
import ("testing";"os";"strings";"path/filepath";"time")
func TestExploreHostile(t *testing.T){
 if os.Getenv("HOSTILE")=="" {t.Skip()}
 h:=newHost(t)
 files,_:=filepath.Glob("../../../../shared/hostile/*.star")
 for _,f:=range files{
  b,_:=os.ReadFile(f)
  head,_,_:=strings.Cut(string(b),"\n")
  _,want,_:=strings.Cut(head,"expect: ")
  want,_,_=strings.Cut(want," ;")
  want=strings.TrimSpace(want)
  if strings.HasPrefix(want,"resource") || strings.Contains(f,"188_") {continue}
  if strings.Contains(f,"hash_") {continue}
  start:=time.Now()
  got:=outcome(t,h.run(t,string(b)))
  d:=time.Since(start)
  ok:= strings.HasPrefix(got,want) || want=="ok" && !strings.HasPrefix(got,"invalid")&& !strings.HasPrefix(got,"resource")
  if len(got)>160 {got=got[:160]}
  if !ok || d>200*time.Millisecond { t.Logf("%v %s want %s got %s %v", ok, filepath.Base(f), want,got,d)}
  if !ok {t.Fail()}
 }
}
