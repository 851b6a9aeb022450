@NullMarked
package io.packing.cli.tracedemo;

import org.jspecify.annotations.NullMarked;
