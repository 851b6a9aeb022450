// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.start;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import io.packing.bdt.AttributeChange;
import io.packing.bdt.BdtLookups;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.RareAttributeChange;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The index of a start as an extended attribute of the file that has it, compressed. So the table has it: a start knows
 * its pages without a read of the store.
 */
final class IndexAttribute {
    static final String NAME = "packing.start";
    private static final Logger LOG = LoggerFactory.getLogger(IndexAttribute.class);
    private static final int LEVEL = 9;

    private IndexAttribute() {}

    /** Returns the change that gives a file the attribute; empty: the index is too long for one. */
    static Optional<AttributeChange> put(StartPack pack) {
        byte[] value = Zstd.compress(pack.encode(), LEVEL);
        return value.length > ExtendedValue.MOST_BYTES
                ? Optional.empty()
                : Optional.of(AttributeChange.NONE.with(
                        RareAttributeChange.of(ExtendedChange.put(NAME, new ExtendedValue(value)))));
    }

    /** Returns the index of a file that has the attribute; empty: it has none, or an unreadable one. */
    static Optional<StartPack> read(BdtLookups bdt, FilePath file) throws IOException {
        ExtendedValue value = bdt.extended(file).orElse(Map.of()).get(NAME);
        if (value == null) {
            return Optional.empty();
        }
        try {
            byte[] text = new byte[StartPack.MOST_BYTES];
            int length = (int) Zstd.decompressByteArray(text, 0, text.length, value.bytes(), 0, value.length());
            return Optional.of(StartPack.decode(Arrays.copyOf(text, length)));
        } catch (ZstdException | IOException e) {
            LOG.warn("the index of a start in the table cannot be read, and its file is: {}", e.toString());
            return Optional.empty();
        }
    }
}
