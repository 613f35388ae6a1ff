"""What real Panda3D clients do to a profiler: frames that begin while they are rendered, threads for culling and drawing, collectors that a function starts and another stops, and a
clock that is set back.

Usage: python panda_wild.py PORT STEPS PAUSE [PRC-LINE…]; PAUSE is the step after which the client sleeps for 50 ms and then resumes after a pause, 0 none.
"""

import sys
import time

from panda3d.core import loadPrcFileData

port, steps, pause = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
loadPrcFileData("", f"""
    window-type offscreen
    load-display p3tinydisplay TinyOffscreenGraphicsPipe
    audio-library-name null
    want-pstats true
    pstats-name wild scene
    pstats-host 127.0.0.1
    pstats-port {port}
    pstats-max-rate -1
    pstats-max-queue-size -1
    pstats-threaded-write false
    pstats-tcp-ratio 1
""")
loadPrcFileData("wins", "\n".join(sys.argv[4:]))

from direct.showbase.ShowBase import ShowBase
from panda3d.core import CardMaker, PStatClient, PStatCollector

base = ShowBase()
ai, hitch = PStatCollector("App:AI"), PStatCollector("App:Hitch")
cards = [base.render.attachNewNode(CardMaker("card").generate()) for _ in range(10)]
for i, card in enumerate(cards):
    card.setPos(i - 5, 40, 0)
done = 0


def run(task):
    global done
    done += 1
    ai.start()
    time.sleep(0.002)
    for card in cards:
        card.setH(done)
    ai.stop()
    if done % 10 == 0:
        hitch.start()
        time.sleep(0.02)
        hitch.stop()
    if done == pause:
        time.sleep(0.05)
        PStatClient.resumeAfterPause()
    return task.cont


base.taskMgr.add(run, "run")
for _ in range(steps):
    base.taskMgr.step()
time.sleep(0.2)  # lets the last small TCP messages leave
PStatClient.disconnect()
