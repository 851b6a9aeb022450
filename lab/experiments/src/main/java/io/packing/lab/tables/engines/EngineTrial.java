// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.tables.engines;

import java.io.IOException;

/** A trial of an engine on a mount. */
interface EngineTrial {
    /** Plays it. A failure of the engine is an exception, and rows that lack are figures. */
    EngineFigures run(EngineGround ground) throws IOException, InterruptedException;
}
