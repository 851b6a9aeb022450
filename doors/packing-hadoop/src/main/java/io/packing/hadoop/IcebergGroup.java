// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.hadoop.HadoopTables;

/**
 * Iceberg's Hadoop tables of one mount, which are read and committed together. A commit changes all of them or none, for every reader: it is one
 * vector of the master. A reader that loads two tables one after the other may still find the second one newer; {@link #load} finds both as they
 * were at one moment. Thread-safe.
 *
 * <p>Other writers commit to single tables of the group as they always do.
 */
public final class IcebergGroup {
    private static final int MOST_READS = 100;

    private final Configuration configuration;
    private final List<String> locations;

    /**
     * @param configuration of a client of the mount
     * @param locations URIs of tables that exist, of one mount
     */
    public IcebergGroup(Configuration configuration, List<String> locations) {
        this.configuration = configuration;
        this.locations = List.copyOf(locations);
        if (locations.isEmpty() || new HashSet<>(locations).size() < locations.size()) {
            throw new IllegalArgumentException("a group of different tables is needed, not " + locations);
        }
    }

    /**
     * Returns the tables as all of them were at one moment, in the order of the locations. They stay so: a refresh changes nothing.
     *
     * @throws CommitFailedException when other writers commit too often to find such a moment
     */
    public List<Table> load() {
        List<Table> tables = new ArrayList<>();
        List<TableOperations> found = atOneMoment();
        for (int i = 0; i < found.size(); i++) {
            TableOperations each = found.get(i);
            tables.add(new BaseTable(
                    new StaticTableOperations(each.current(), each.io(), each.locationProvider()), locations.get(i)));
        }
        return tables;
    }

    /**
     * Begins a commit upon the tables as all of them are at one moment.
     *
     * @throws CommitFailedException when other writers commit too often to find such a moment
     */
    public IcebergCommit begin() {
        return new IcebergCommit(configuration, locations, atOneMoment());
    }

    /** Reads all tables until none of them has changed since it was read before: versions only grow, so that was one moment. */
    private List<TableOperations> atOneMoment() {
        HadoopTables tables = new HadoopTables(configuration);
        List<TableOperations> all = new ArrayList<>();
        for (String location : locations) {
            if (!(tables.load(location) instanceof HasTableOperations table)) {
                throw new IllegalArgumentException(location + " is a table of metadata, which has no commits");
            }
            all.add(table.operations());
        }
        List<String> before = versions(all);
        for (int reads = 1; reads < MOST_READS; reads++) {
            all.forEach(TableOperations::refresh);
            List<String> now = versions(all);
            if (now.equals(before)) {
                return all;
            }
            before = now;
        }
        throw new CommitFailedException("one of %s changed during each of %s reads: try again", locations, MOST_READS);
    }

    private static List<String> versions(List<TableOperations> tables) {
        return tables.stream()
                .map(each -> each.current().metadataFileLocation())
                .toList();
    }
}
