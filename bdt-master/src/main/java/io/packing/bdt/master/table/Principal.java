package io.packing.bdt.master.table;

import java.util.Set;

/**
 * Somebody whose rights on files are checked.
 *
 * @param superuser whether all checks are passed by
 */
public record Principal(String user, Set<String> groups, boolean superuser) {
    public Principal {
        groups = Set.copyOf(groups);
        if (user.isEmpty()) {
            // Names without an owner belong to nobody.
            throw new IllegalArgumentException("a principal without a name");
        }
    }

    boolean owns(String owner) {
        return user.equals(owner);
    }

    boolean isIn(String group) {
        return !group.isEmpty() && groups.contains(group);
    }
}
