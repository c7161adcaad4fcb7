from nimmt.fast import protocol
from nimmt.fast.jit import implement
from nimmt.fast.six import policies, steps
from nimmt.fast.six.state import STATE
implement(protocol.begin, STATE, steps.begin)
implement(protocol.deal, STATE, steps.deal)
implement(protocol.to_decide, STATE, steps.to_decide)
implement(protocol.legal, STATE, steps.legal)
implement(protocol.choose, STATE, policies.choose)
implement(protocol.act, STATE, steps.act)
implement(protocol.advance, STATE, steps.advance)
implement(protocol.tally, STATE, steps.tally)
implement(protocol.play_on, STATE, policies.play_on)
