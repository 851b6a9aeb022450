// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.util.List;
import java.util.Optional;

/**
 * A page of the objects of a bucket, by the UTF-8 bytes of their keys.
 *
 * @param objects with keys of the bucket; directory markers are among them
 * @param next for the request of the next page; empty: this is the last one
 */
public record BucketPage(List<ObjectInfo> objects, Optional<String> next) {
    public BucketPage {
        objects = List.copyOf(objects);
    }
}
