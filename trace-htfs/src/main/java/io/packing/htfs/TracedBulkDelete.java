// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import io.packing.trace.Call;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.Path;

/** A bulk delete that is recorded as one call for each page of paths. */
final class TracedBulkDelete implements BulkDelete {
    private final BulkDelete plain;
    private final CallRecorder calls;

    private TracedBulkDelete(BulkDelete plain, CallRecorder calls) {
        this.plain = plain;
        this.calls = calls;
    }

    // A constructor would not do: verifying that it returns a BulkDelete would load that type with the calling class.
    static BulkDelete over(BulkDelete plain, CallRecorder calls) {
        return new TracedBulkDelete(plain, calls);
    }

    @Override
    public int pageSize() {
        return plain.pageSize();
    }

    @Override
    public Path basePath() {
        return plain.basePath();
    }

    @Override
    public List<Map.Entry<Path, String>> bulkDelete(Collection<Path> paths) throws IOException {
        int asked = paths == null ? 0 : paths.size();
        Path first = asked == 0 ? null : paths.iterator().next();
        On on = On.path(first).to(plain.basePath()).with("paths=" + asked);
        return calls.call(Call.BULK_DELETE, on, () -> plain.bulkDelete(paths), failed -> asked - failed.size());
    }

    @Override
    public void close() throws IOException {
        plain.close();
    }
}
