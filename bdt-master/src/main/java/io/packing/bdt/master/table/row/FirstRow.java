// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import java.util.Optional;

/** The first row of a scan, which ends with it. */
final class FirstRow implements Rows.Visitor {
    private Optional<byte[]> key = Optional.empty();
    private Optional<byte[]> value = Optional.empty();

    Optional<byte[]> key() {
        return key;
    }

    Optional<byte[]> value() {
        return value;
    }

    @Override
    public boolean row(byte[] firstKey, byte[] firstValue) {
        key = Optional.of(firstKey);
        value = Optional.of(firstValue);
        return false;
    }
}
