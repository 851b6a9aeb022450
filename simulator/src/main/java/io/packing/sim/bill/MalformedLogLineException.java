// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.bill;

/** A failure to read a line of an access log: it is cut off, damaged or of another format. */
public final class MalformedLogLineException extends Exception {
    private static final long serialVersionUID = 1;

    MalformedLogLineException(String why) {
        super(why);
    }
}
