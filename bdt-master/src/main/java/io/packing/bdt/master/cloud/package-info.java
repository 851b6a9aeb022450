/**
 * What a master has in the backing store: backups and journals of tables, and leases by which masters know of each other;
 * and how a table is recovered from there.
 */
@NullMarked
package io.packing.bdt.master.cloud;

import org.jspecify.annotations.NullMarked;
