// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

/** A report of a schedule in which no thread can go on, or which takes more steps or time than it may. */
public final class StuckException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StuckException(String message) {
        super(message);
    }
}
