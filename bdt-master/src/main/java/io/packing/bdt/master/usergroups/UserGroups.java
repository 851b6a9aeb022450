// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.usergroups;

import java.io.IOException;
import java.time.Duration;
import java.util.Set;

/** Knows in which groups users are. Thread-safe. */
public interface UserGroups {
    /** The groups of a user; none when there is no such user. May wait. */
    Set<String> groups(String user) throws IOException;

    /** For how long an answer is believed. */
    Duration keep();
}
