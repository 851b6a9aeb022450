// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.objects;

import java.io.IOException;

/** The mount as each user of access keys has it. Thread-safe. */
public interface UserMounts extends AutoCloseable {
    /** Returns the mount of a user, whose rights count for all that is done with it. */
    UserMount of(String user) throws IOException;

    @Override
    void close() throws IOException;
}
