// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.owner;

import java.io.IOException;
import java.util.Optional;

/** The users, or the groups, that a machine knows. */
interface NameService {
    /**
     * A user or a group of the machine.
     *
     * @param number unsigned
     */
    record Account(String name, int number) {}

    /** Returns the account of a name of valid form. */
    Optional<Account> named(String name) throws IOException;

    /** Returns the account of a number. */
    Optional<Account> numbered(int number) throws IOException;
}
