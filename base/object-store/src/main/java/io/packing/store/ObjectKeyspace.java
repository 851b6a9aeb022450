// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;
import java.util.List;

/** The keys of the objects in a cloud's store. */
public interface ObjectKeyspace {
    /** Lists objects as {@link ObjectStore#list} does; a page has at most 1,000 keys, for any limit. */
    List<ObjectInfo> list(String prefix, String startAfter, int limit) throws IOException;

    /** Deletes objects by their whole keys, by as few requests as the store takes. */
    void delete(List<String> keys) throws IOException;
}
