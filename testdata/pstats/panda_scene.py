"""A small headless Panda3D scene that profiles itself with PStats and prints, as JSON, what it did.

Usage: python panda_scene.py PORT STEPS [PRC-LINE…]
"""

import json
import sys
import time

from panda3d.core import loadPrcFileData

port, steps = int(sys.argv[1]), int(sys.argv[2])
loadPrcFileData("", "\n".join(sys.argv[3:]) + f"""
    window-type none
    audio-library-name null
    want-pstats true
    pstats-name panda scene
    pstats-host 127.0.0.1
    pstats-port {port}
    pstats-max-rate -1
    pstats-max-queue-size -1
    pstats-threaded-write false
    pstats-tcp-ratio 0.2
""")  # of two lines on one thing the first counts

from direct.showbase.ShowBase import ShowBase
from panda3d.core import NodePath, PandaSystem, PStatClient, PStatCollector

base = ShowBase()
work = PStatCollector("App:Scene work")
part = PStatCollector("App:Scene work:Part")
twice = PStatCollector("App:Scene work:Twice")
step_level = PStatCollector("Scene:Step")
half_level = PStatCollector("Scene:Half")
models = NodePath("models")

# Collectors and threads go out with the first ticks; a thread is recorded from the tick after.
for _ in range(5):
    base.taskMgr.step()

did = []


def run(task):
    step = len(did) + 1
    if step > steps:
        return task.done
    parts = 1 + step % 5
    for i in range(parts):
        work.start()
        part.start()
        models.attachNewNode(f"node {step} {i}").setPos(step, i, 0)
        part.stop()
        twice.start()
        twice.start()  # counted by the client: only the outer pair is sent
        twice.stop()
        twice.stop()
        work.stop()
    step_level.setLevel(step)
    half_level.setLevel(step / 2)
    did.append({"step": step, "parts": parts, "half": step / 2})
    return task.cont


base.taskMgr.add(run, "run")
for _ in range(steps + 3):
    base.taskMgr.step()

client = PStatClient.getGlobalPstats()
truth = {
    "panda": PandaSystem.getVersionString(),
    "connected": bool(client.isConnected()),
    "steps": did,
    "collectors": {c.getFullname(): c.getIndex() for c in (work, part, twice, step_level, half_level)},
    "threads": [client.getThreadName(i) for i in range(client.getNumThreads())],
}
sys.stdin.read()  # until the viewer has begun to read: a client that leaves earlier takes back what it sent
time.sleep(0.2)  # lets the last small TCP messages leave
client.disconnect()
json.dump(truth, sys.stdout)
