"""The transition between two neighbouring pages of a handout: a small script that changes one picture to the other.

Elements that both pictures have stay. New elements fade in, and elements that are gone fade out. Some move from their
places to the next: texts, marks of computed points (diamonds and squares), and thick lines in the colours of gap,
overlap and the bodies' edges. Vertices have round marks, and the simplex another colour, so they never move.
A text that would pass over another one does not move: it fades out at its old place, and then in at the new one.
There is no transition if the reader's system asks for reduced motion, if pages are turned faster than it runs, or if
they differ in size or have little in common.
"""

from __future__ import annotations

from ..draw.theme import Theme
from .svg import colour

LEAST_COMMON_SHARE = 0.4
"""Least share of the new picture's elements that the old one must have; below it there is no transition."""
MOMENTS = 15
"""Moments of the transition at which texts are compared."""


def transition_script(theme: Theme, seconds: float) -> str:
    """A script with `turn(was, now)`, which starts the transition from one page to another, and `end()`, which ends it.

    `theme`: of the pictures; `seconds`: duration.
    """
    colours = {colour(rgba) for rgba in (theme.gap, theme.overlap, theme.edge_a, theme.edge_b)}
    numbers = {"SECONDS": seconds, "LEAST_COMMON_SHARE": LEAST_COMMON_SHARE, "MOMENTS": MOMENTS}
    script = _SCRIPT.replace("{colours}", ",".join(f"'{each}'" for each in sorted(colours)))
    for name, value in numbers.items():
        script = script.replace(f"{{{name}}}", f"{value:g}")
    return script


_SCRIPT = """const slides=new Set([{colours}]);
let moving=null,begun=-1e9;
function leaves(svg){
return [...svg.children].flatMap(child=>child.matches('g[clip-path]')?[...child.children]:[child]);
}
function parts(leaf){
const shared=leaf.tagName==='use'&&document.getElementById(leaf.getAttribute('href').slice(1));
return shared?[...shared.children]:[leaf];
}
function place(leaf){
const get=name=>leaf.getAttribute(name);
if(leaf.tagName==='text')return ['text'+leaf.textContent+get('fill'),[+get('x'),+get('y')]];
const d=leaf.tagName==='path'&&get('d').match(/^M(-?[\\d.]+) ?(-?[\\d.]+)l ?([^M]*)$/);
if(!d)return null;
const steps=(d[3].match(/-?(?:\\d+\\.?\\d*|\\.\\d+)/g)||[]).map(Number),from=[+d[1],+d[2]];
if(d[3].endsWith('z')){
if(steps.length>8||Math.max(...steps.map(Math.abs))>40)return null;
return ['mark'+steps.length+get('fill')+get('stroke'),from];
}
if(steps.length!==2||!slides.has(get('stroke'))||+get('stroke-width')<3)return null;
const look=['stroke','stroke-width','stroke-dasharray'].map(get).join();
return ['line'+look,[...from,from[0]+steps[0],from[1]+steps[1]]];
}
function isText(part){return part.tagName==='text'}
function opacity(part){return +(part.getAttribute('opacity')??1)}
function clear(leaf,name,value){
if(value===null)leaf.removeAttribute(name);
else leaf.setAttribute(name,value);
}
function mix(to,k,t){return to.from.ends[k]+t*(to.ends[k]-to.from.ends[k])}
function arrival(to){
const {leaf,part,ends,from}=to,own=opacity(part),[kept,path]=['opacity','d'].map(name=>part.getAttribute(name));
if(!from)return t=>clear(leaf,'opacity',t<1?own*(isText(part)?Math.max(0,2*t-1):t):kept);
const [x,y,u,v]=[0,1,2,3].map(k=>t=>mix(to,k,t));
if(ends.length===4)return t=>leaf.setAttribute('d',t<1?`M${x(t)} ${y(t)}L${u(t)} ${v(t)}`:path);
return t=>clear(leaf,'transform',t<1?`translate(${x(t)-ends[0]} ${y(t)-ends[1]})`:null);
}
function box(text,[x,y]=place(text)[1]){
const [long,size]=['textLength','font-size'].map(name=>+text.getAttribute(name));
return [x,y-.75*size,x+long,y+.2*size];
}
function meet(a,b){return a&&b&&a[0]<b[2]&&b[0]<a[2]&&a[1]<b[3]&&b[1]<a[3]}
function keepApart(still,left,coming){
const at=to=>t=>to.from?box(to.part,[mix(to,0,t),mix(to,1,t)]):t>.5&&box(to.part);
const texts=[
...still.filter(isText).map(part=>({at:()=>box(part)})),
...left.filter(each=>isText(each.part)).map(each=>({at:t=>!each.to&&t<.5&&box(each.part)})),
...coming.filter(to=>isText(to.part)).map(to=>({to,at:at(to)})),
];
const times=[...Array({MOMENTS}).keys()].map(k=>(k+1)/({MOMENTS}+1));
const met=text=>texts.some(other=>other!==text&&times.some(t=>meet(text.at(t),other.at(t))));
for(let text;text=texts.find(text=>text.to&&text.to.from&&met(text));){
text.to.from.each.to=null;
text.to.from=null;
}
}
function end(){
if(!moving)return;
const was=moving;
moving=null;
cancelAnimationFrame(was.frame);
was.steps.forEach(step=>step(1));
was.extra.forEach(leaf=>leaf.remove());
was.hidden.forEach(leaf=>leaf.removeAttribute('visibility'));
}
function turn(was,now){
end();
const start=performance.now(),soon=start-begun<1e3*{SECONDS};
begun=start;
if(soon||matchMedia('(prefers-reduced-motion: reduce)').matches)return;
const [from,to]=[was,now].map(page=>page.querySelector('figure svg'));
if(from.getAttribute('viewBox')!==to.getAttribute('viewBox'))return;
const old=new Map(),fresh=[],news=leaves(to);
for(const leaf of leaves(from))old.set(leaf.outerHTML,[...(old.get(leaf.outerHTML)||[]),leaf]);
for(const leaf of news)if(!(old.get(leaf.outerHTML)||[]).pop())fresh.push(leaf);
if(fresh.length>(1-{LEAST_COMMON_SHARE})*news.length)return;
const extra=[],hidden=[],left=[],coming=[],moved=new Map();
function add(leaf,host,before){
const copy=leaf.cloneNode(true);
host.insertBefore(copy,before);
extra.push(copy);
return copy;
}
for(const leaf of [...old.values()].flat())for(const part of parts(leaf)){
const around=leaf.closest('g[clip-path]'),clip=around&&around.getAttribute('clip-path');
const each={part,host:[...to.children].find(child=>child.getAttribute('clip-path')===clip)||to},where=place(part);
left.push(each);
if(where)moved.set(where[0],[...(moved.get(where[0])||[]),{each,ends:where[1]}]);
}
function come(leaf,part){
const where=place(part),from=where&&(moved.get(where[0])||[]).shift(),to={leaf,part,ends:where&&where[1],from};
if(from)from.each.to=to;
coming.push(to);
}
for(const leaf of fresh){
const inside=parts(leaf);
if(inside[0]===leaf){come(leaf,leaf);continue}
leaf.setAttribute('visibility','hidden');
hidden.push(leaf);
for(const part of inside)come(add(part,leaf.parentNode,leaf),part);
}
keepApart(news.filter(leaf=>!fresh.includes(leaf)).flatMap(parts),left,coming);
const steps=coming.map(arrival);
for(const {part,host,to} of left){
if(to)continue;
const copy=add(part,host,null),own=opacity(part);
steps.push(t=>copy.setAttribute('opacity',own*(isText(part)?Math.max(0,1-2*t):1-t)));
}
function step(time){
const t=Math.min(1,Math.max(0,(time-start)/(1e3*{SECONDS})));
if(t===1){end();return}
steps.forEach(each=>each(t*t*(3-2*t)));
moving.frame=requestAnimationFrame(step);
}
moving={steps,extra,hidden,frame:0};
step(start);
}
function stopTransition(){if(moving){begun=-1e9;end()}}
addEventListener('pointerdown',stopTransition,true);
addEventListener('keydown',stopTransition,true);
addEventListener('beforeprint',end);"""
