// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import io.packing.bdt.FileStatus;
import io.packing.s3gateway.protocol.HttpDate;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** An object as answers describe it. */
public record StoredObject(String key, FileStatus status, ObjectAttributes attributes) {
    public long length() {
        return status.attributes().length();
    }

    public long mtimeMillis() {
        return status.attributes().mtimeMillis();
    }

    /** Returns the ETag without quotes. */
    public String etag() {
        return attributes
                .etag()
                .filter(mark -> mark.isOf(status))
                .map(EtagMark::etag)
                .orElseGet(() -> EtagMark.ofVersion(status.version()));
    }

    /** Returns true if the file has the bytes that the gateway wrote. */
    public boolean isAsWritten() {
        return attributes.etag().filter(mark -> mark.isOf(status)).isPresent();
    }

    /** Returns the checksums of the object's bytes, by names of headers; none if another door has changed the file. */
    public SortedMap<String, String> sums() {
        return isAsWritten() ? attributes.sums() : Collections.unmodifiableSortedMap(new TreeMap<>());
    }

    /** Returns the lengths of the parts in which the object was uploaded; its own if it has no parts. */
    public List<Long> partLengths() {
        String parts = isAsWritten() ? attributes.parts() : "";
        return parts.isEmpty()
                ? List.of(length())
                : Stream.of(parts.split(",", -1)).map(Long::valueOf).toList();
    }

    public String lastModified() {
        return HttpDate.header(mtimeMillis());
    }
}
