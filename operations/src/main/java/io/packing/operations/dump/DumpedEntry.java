// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dump;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.BdtLookups;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.QuotaChange;
import io.packing.bdt.RareAttributeChange;
import io.packing.blob.FileAttributes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * An entry of a dump.
 *
 * @param extra gives another one what few files have beside their attributes
 * @param quota of a directory that has one
 */
record DumpedEntry(ListedEntry listed, RareAttributeChange extra, Optional<QuotaChange> quota) {
    /** Returns the entry for a listed one; asks the BDT for its extended attributes, if it has some. */
    static DumpedEntry of(BdtLookups bdt, ListedEntry listed, Optional<QuotaChange> quota) throws IOException {
        FileStatus status = listed.status();
        Optional<Map<String, ExtendedValue>> extended =
                status.extras().hasExtended() ? bdt.extended(status.path()) : Optional.empty();
        List<ExtendedChange> steps = extended.map(ExtendedChange::putAll).orElse(List.of());
        RareAttributeChange extra = new RareAttributeChange(steps, 0, Optional.empty()).withTimes(status.extras());
        return new DumpedEntry(listed, extra, quota);
    }

    FileStatus status() {
        return listed.status();
    }

    /** Returns the change that gives another entry the attributes of this one. */
    AttributeChange change() {
        FileAttributes a = status().attributes();
        return new AttributeChange(
                Optional.of(a.owner()),
                Optional.of(a.group()),
                OptionalInt.of(a.mode()),
                OptionalLong.of(a.mtimeMillis()),
                extra);
    }

    /** Returns the change that also removes extended attributes that only the other entry has. */
    AttributeChange wholeChange() {
        List<ExtendedChange> steps = new ArrayList<>(List.of(ExtendedChange.CLEAR));
        steps.addAll(extra.extended());
        return change().with(new RareAttributeChange(steps, extra.nanos(), extra.changed()));
    }
}
