// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import java.util.Map;

/**
 * An entry at a path, with its extended attributes.
 *
 * @param values by name; those that whoever asks may not know are left out
 */
public record Extended(FileStatus status, Map<String, ExtendedValue> values) {
    public Extended {
        values = Map.copyOf(values);
    }
}
