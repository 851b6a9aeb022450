// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.sorted.DiskFullException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class BufferIndexTest {
    private static FileRow row(long id, long generation) {
        FileAttributes attributes = new FileAttributes(0, 1, "o", "g", 0644);
        return new FileRow(id, generation, new FilePath("/f" + id), attributes, 7, List.of());
    }

    @Test
    void whatAFullDiskRefusesIsWrittenWhenThereIsRoom() throws IOException {
        AtomicBoolean full = new AtomicBoolean(true);
        RecordingStore store = new RecordingStore(s -> {
            if (full.get()) {
                throw new DiskFullException("full");
            }
        });
        BufferIndex index = new BufferIndex(store);
        index.put(row(1, 10));
        index.put(row(2, 20));
        index.checkpoint(7, 100);
        assertThatThrownBy(index::flush).isInstanceOf(DiskFullException.class);
        index.remove(2);
        index.put(row(3, 30));
        index.checkpoint(7, 200);
        assertThat(index.get(1)).contains(row(1, 10));
        assertThat(index.get(2)).isEmpty();
        full.set(false);
        index.flush();
        BufferIndex reopened = new BufferIndex(store);
        assertThat(reopened.get(1)).contains(row(1, 10));
        assertThat(reopened.get(2)).isEmpty();
        assertThat(reopened.get(3)).contains(row(3, 30));
        assertThat(reopened.checkpoints()).containsEntry(7L, 200L).hasSize(1);
    }
}
