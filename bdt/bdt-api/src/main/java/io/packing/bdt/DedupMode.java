// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

/** The ways in which new files share bytes that the mount has already. */
public enum DedupMode {
    /** Every file has bytes of its own. */
    NONE,
    /** A file in one piece shares those of an equal one, and is neither buffered nor pushed. */
    FILE
}
