// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.tree;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.RareAttributes;
import io.packing.fuse.Mode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * An entry of a layer at a path.
 *
 * @param mode type and permissions, as in {@link Mode}
 * @param user number of the owner; images have numbers, not the names of a machine
 * @param extended extended attributes by name
 */
record LayerEntry(
        int mode, long user, long group, Instant modified, EntryBody body, Map<String, ExtendedValue> extended) {
    /** A directory that no entry describes. */
    static final LayerEntry DIRECTORY =
            new LayerEntry(Mode.DIRECTORY | 0755, 0, 0, Instant.EPOCH, EntryBody.NONE, Map.of());
    /** Says that the layers below have nothing at the path (overlayfs.rst, "whiteouts"). */
    static final LayerEntry WHITEOUT = new LayerEntry(
            Mode.CHARACTER_DEVICE, 0, 0, Instant.EPOCH, new EntryBody.Inline(new byte[] {'0'}), Map.of());

    LayerEntry {
        extended = Map.copyOf(extended);
    }

    /** Bytes of memory that the entry takes beyond itself. */
    long heldBytes() {
        long bytes = body instanceof EntryBody.Inline inline ? inline.bytes().length : 0;
        for (Map.Entry<String, ExtendedValue> each : extended.entrySet()) {
            bytes += 2L * each.getKey().length() + each.getValue().length();
        }
        return bytes;
    }

    int type() {
        return mode & Mode.TYPE;
    }

    boolean isDirectory() {
        return type() == Mode.DIRECTORY;
    }

    DirectoryAttributes directory() {
        return new DirectoryAttributes(Long.toString(user), Long.toString(group), mode & Mode.PERMISSIONS);
    }

    /**
     * Returns the change that makes a new file look like this; the table has a type in the mode only where it is no
     * ordinary file.
     */
    AttributeChange attributes() {
        return new AttributeChange(
                        Optional.of(Long.toString(user)),
                        Optional.of(Long.toString(group)),
                        OptionalInt.of(type() == Mode.REGULAR ? mode & Mode.PERMISSIONS : mode),
                        OptionalLong.of(modified.toEpochMilli()))
                .with(ownAttributes());
    }

    /** Returns the change that sets the time alone. */
    static AttributeChange time(Instant modified) {
        RareAttributeChange beyond =
                new RareAttributeChange(List.of(), RareAttributes.nanos(modified), Optional.empty());
        return AttributeChange.ofMtime(modified.toEpochMilli()).with(beyond);
    }

    /**
     * Returns the change that gives a new entry the rest of its time, and its own extended attributes without those for
     * overlays.
     */
    RareAttributeChange ownAttributes() {
        return new RareAttributeChange(
                ExtendedChange.putAll(ExtendedAttributes.own(extended)),
                RareAttributes.nanos(modified),
                Optional.empty());
    }
}
