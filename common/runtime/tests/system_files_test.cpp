#include "runtime/node/system_files.hpp"
#include "testing/temporary_root.hpp"

#include <gtest/gtest.h>

namespace strata::runtime {

namespace {

TEST(SystemFiles, ReadsWhatIsThere)
{
  testing::TemporaryRoot const root;
  root.write("number", "42\n");
  root.write("word", "max\n");
  root.write("table", "Alpha:  1 kB\nBeta:  2 kB\n");
  EXPECT_EQ(first_line(root.path() / "word"), "max");
  EXPECT_EQ(whole_number(root.path() / "number"), 42);
  EXPECT_EQ(whole_number(root.path() / "word"), std::nullopt);
  EXPECT_EQ(keyed_number(root.path() / "table", "Beta:"), 2);
  EXPECT_EQ(keyed_number(root.path() / "table", "Gamma:"), std::nullopt);
  EXPECT_EQ(first_line(root.path() / "missing"), std::nullopt);
  EXPECT_FALSE(host_name().empty());
}

TEST(SystemFiles, FindsControlGroupsInnermostFirst)
{
  testing::TemporaryRoot const root;
  root.write("proc/self/cgroup", "5:memory:/a/b\n3:cpu,cpuacct:/a\n0::/a/b\n");
  auto const mounts = root.path() / "sys/fs/cgroup";
  std::filesystem::create_directories(mounts / "memory");
  EXPECT_EQ(control_groups("memory", root.path()),
            (std::vector<std::filesystem::path>{mounts / "memory/a/b", mounts / "memory/a",
                                                mounts / "memory"}));
  EXPECT_EQ(control_groups("cpu", root.path()),
            (std::vector<std::filesystem::path>{mounts / "cpu/a", mounts / "cpu"}));
  EXPECT_TRUE(control_groups("io", root.path()).empty());
}

} // namespace

} // namespace strata::runtime
