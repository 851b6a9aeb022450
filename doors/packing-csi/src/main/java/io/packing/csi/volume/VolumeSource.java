// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.volume;

/** The snapshot or the volume that a volume is a clone of. */
public record VolumeSource(Kind kind, CsiId id) {
    /** The kinds of a source. */
    public enum Kind {
        SNAPSHOT,
        VOLUME
    }
}
