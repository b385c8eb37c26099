#include "example.hpp"

#include "base/error.hpp"
#include "base/pattern.hpp"
#include "report/file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <set>

namespace strata::report {
namespace {

namespace fs = std::filesystem;

/// A folder of its own per test, gone afterwards.
class DestinationTest : public testing::Test
{
protected:
  DestinationTest()
      : folder_(fs::temp_directory_path() /
                ("strata-" + std::to_string(::getpid()) + "-" +
                 testing::UnitTest::GetInstance()->current_test_info()->name()))
  {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }

  ~DestinationTest() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string path(std::string const& name) const
  {
    return (folder_ / name).string();
  }

  [[nodiscard]] std::set<std::string> files() const
  {
    std::set<std::string> names;
    for (auto const& entry : fs::recursive_directory_iterator(folder_))
      if (!entry.is_directory())
        names.insert(fs::relative(entry.path(), folder_).string());
    return names;
  }

  static std::string content(fs::path const& file)
  {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  /// The message of the Error(Exit::results) that `action` throws.
  template <class Action>
  static std::string refusal(Action action)
  {
    try {
      action();
    } catch (Error const& error) {
      EXPECT_EQ(error.exit(), Exit::results);
      return error.what();
    }
    return "nothing was refused";
  }

  fs::path folder_;
};

/// Bounds the size of files, as a full disk does, while it lives. Who exceeds it ends by a
/// signal, unless it has said to ignore that since.
class FullDisk
{
public:
  explicit FullDisk(rlim_t bytes)
      : handler_(std::signal(SIGXFSZ, SIG_DFL))
  {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    rlimit bound = before_;
    bound.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &bound);
  }
  FullDisk(FullDisk const&) = delete;
  FullDisk& operator=(FullDisk const&) = delete;
  ~FullDisk()
  {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_F(DestinationTest, NamesRecordsBySystemAppStartJobAndChance)
{
  auto record = example::record();
  auto const file = Destination::in_results(folder_, "alps", "stream").write(record);
  EXPECT_TRUE(Pattern("^alps/stream/20260131T123456Z-4711-[0-9a-f]{4}\\.json$")
                  .matches_in(fs::relative(file, folder_).string()))
      << file;
  EXPECT_EQ(record.run.id, file.stem().string());
  EXPECT_NE(content(file).find("\"id\": \"" + record.run.id + "\""), std::string::npos);
  EXPECT_TRUE(content(file).ends_with("}\n"));
}

TEST_F(DestinationTest, NamesTheProcessOutsideAJobAndTheIndexInAnArray)
{
  auto record = example::record();
  auto const destination = Destination::in_results(folder_, "alps", "stream");
  record.run.job.id = "";
  destination.write(record);
  EXPECT_TRUE(record.run.id.starts_with("20260131T123456Z-" + std::to_string(::getpid()) + "-"))
      << record.run.id;
  record.run.job.id = "12.pbs/a";
  record.run.job.array_index = "3";
  destination.write(record);
  EXPECT_TRUE(record.run.id.starts_with("20260131T123456Z-12.pbs-a_3-")) << record.run.id;
}

TEST_F(DestinationTest, TakesAnotherNameWhereThereIsARecord)
{
  auto record = example::record();
  auto const destination = Destination::in_results(folder_, "alps", "stream");
  destination.write(record, [] { return "aaaa"; });
  int tries = 0;
  destination.write(record, [&] { return ++tries < 3 ? "aaaa" : "bbbb"; });
  EXPECT_EQ(files(), (std::set<std::string>{"alps/stream/20260131T123456Z-4711-aaaa.json",
                                            "alps/stream/20260131T123456Z-4711-bbbb.json"}));
  EXPECT_EQ(record.run.id, "20260131T123456Z-4711-bbbb");
}

TEST_F(DestinationTest, LeavesTheResultsFolderForNoName)
{
  auto record = example::record();
  auto const file = Destination::in_results(folder_, "../..", "a b").write(record);
  EXPECT_EQ(fs::relative(file.parent_path(), folder_).string(), "_..-../a-b");
}

TEST_F(DestinationTest, WritesExactlyTheFileThatTheUserNamed)
{
  auto record = example::record();
  auto const destination = Destination::exactly(path("new/x.json"));
  destination.probe();
  EXPECT_EQ(destination.write(record), path("new/x.json"));
  EXPECT_EQ(files(), std::set<std::string>{"new/x.json"});
}

TEST_F(DestinationTest, NeverOverwritesTheUsersFile)
{
  std::ofstream(path("x.json")) << "precious";
  auto record = example::record();
  auto const destination = Destination::exactly(path("x.json"));
  auto const message = "'" + path("x.json") +
                       "' is there already and records are never overwritten; choose another "
                       "file with --output";
  EXPECT_EQ(refusal([&] { destination.probe(); }), message);
  EXPECT_EQ(refusal([&] { destination.write(record); }), message);
  EXPECT_EQ(content(path("x.json")), "precious");
  EXPECT_EQ(files(), std::set<std::string>{"x.json"});
}

TEST_F(DestinationTest, TakesABrokenLinkForAFile)
{
  fs::create_symlink("nowhere", path("x.json"));
  auto record = example::record();
  auto const destination = Destination::exactly(path("x.json"));
  EXPECT_NE(refusal([&] { destination.write(record); }).find("is there already"),
            std::string::npos);
}

TEST_F(DestinationTest, ProbesWithoutLeavingAnything)
{
  Destination::in_results(folder_, "alps", "stream").probe();
  EXPECT_TRUE(fs::is_directory(folder_ / "alps/stream"));
  EXPECT_TRUE(files().empty());
}

TEST_F(DestinationTest, SaysWhenAFolderIsAFile)
{
  std::ofstream(path("results")) << "a file";
  auto const destination = Destination::in_results(path("results"), "alps", "stream");
  EXPECT_EQ(refusal([&] { destination.probe(); }),
            "cannot write results in '" + path("results/alps/stream") +
                "': Not a directory; make room and access there, or choose another folder with "
                "--output-dir");
  EXPECT_EQ(refusal([&] { Destination::exactly(path("results/x.json")).probe(); }),
            "cannot write results in '" + path("results") +
                "': Not a directory; make room and access there, or choose another file with "
                "--output");
}

TEST_F(DestinationTest, SaysBeforeTheRunThatTheDiskIsFull)
{
  auto const destination = Destination::in_results(folder_, "alps", "stream");
  std::string message;
  {
    FullDisk const full(100);
    message = refusal([&] { destination.probe(); });
  }
  EXPECT_EQ(message, "cannot write results in '" + path("alps/stream") +
                         "': File too large; make room and access there, or choose another "
                         "folder with --output-dir");
  EXPECT_TRUE(files().empty());
}

TEST_F(DestinationTest, LeavesNothingBehindWhenTheDiskFillsUp)
{
  auto record = example::record();
  auto const destination = Destination::in_results(folder_, "alps", "stream");
  std::string message;
  {
    FullDisk const full(4096); // enough for the probe
    destination.probe();
    std::signal(SIGXFSZ, SIG_DFL); // as a library does meanwhile
    message = refusal([&] { destination.write(record); });
  }
  EXPECT_NE(message.find("File too large"), std::string::npos) << message;
  EXPECT_TRUE(files().empty());
}

} // namespace
} // namespace strata::report
